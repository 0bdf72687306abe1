import type { Commit } from '../stores/driver.ts'

type CommittedRecord = Commit['records'][number]

/** A record whose body came as JSON, the form that tables keep: it is parsed only where a change of the tables needs it. */
export class JsonRecord implements CommittedRecord {
  readonly seq: number | undefined
  readonly turn: string | undefined
  readonly type: string
  readonly json: string

  constructor({ seq, turn, type }: Omit<CommittedRecord, 'body'>, json: string) {
    this.seq = seq
    this.turn = turn
    this.type = type
    this.json = json
  }
  get body(): CommittedRecord['body'] {
    return JSON.parse(this.json)
  }
}

/** A record's body as tables keep it. */
export const bodyJson = (record: CommittedRecord): string =>
  record instanceof JsonRecord ? record.json : JSON.stringify(record.body)
