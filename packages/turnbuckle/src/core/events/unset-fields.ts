import type { EventBody } from './events.ts'

type BodyOf<Type, Body = EventBody> = Body extends { type: infer Own } ? (Type extends Own ? Body : never) : never
type UnsetField<Body> = {
  [Field in keyof Body]-?: undefined extends Body[Field]
    ? Record<never, never> extends Pick<Body, Field>
      ? never
      : Field
    : never
}[keyof Body]
type UnsetFields = {
  readonly [Type in EventBody['type'] as UnsetField<BodyOf<Type>> extends never ? never : Type]: {
    readonly [Field in UnsetField<BodyOf<Type>>]: 'null' | 'absent'
  }
}

/**
 * Fields that an event always has, and that may be `undefined`: JSON loses such a field, so an event that is read from a log
 * gets it back. `null`: on the wire the field is null then; `absent`: it is left out there. Closed: a new field is a type error.
 */
const table: UnsetFields = {
  'turn.started': { parentId: 'null' },
  'message.started': { parentId: 'null' },
  'message.added': { parentId: 'null' },
  'history.edited': { from: 'null', to: 'null', parentId: 'null' },
  'head.moved': { from: 'null', to: 'null' },
  'title.changed': { from: 'null' },
  'tool.pending': { args: 'absent' },
  'tool.executing': { args: 'absent' },
  'tool.completed': { result: 'absent' },
  'tool.failed': { result: 'absent' },
  'request.opened': { payload: 'absent' },
  'request.answered': { decision: 'absent' },
}

type Fields = Readonly<Record<string, unknown>>
const fieldsOf = (type: string): Readonly<Record<string, 'null' | 'absent'>> =>
  Object.hasOwn(table, type) ? table[type as keyof UnsetFields] : {}

const unset = new Map<string, Fields>()
const nulls = new Map<string, Fields>()
for (const type of Object.keys(table)) {
  const fields = Object.entries(fieldsOf(type))
  unset.set(type, Object.fromEntries(fields.map(([name]) => [name, undefined])))
  nulls.set(type, Object.fromEntries(fields.flatMap(([name, how]) => (how === 'null' ? [[name, null]] : []))))
}

/** The fields of an event of this type that JSON may have lost, as `undefined`. */
export const unsetFields = (type: string): Fields | undefined => unset.get(type)

/** The fields of an event of this type that are null on the wire where they are not set. */
export const nullFields = (type: string): Fields | undefined => nulls.get(type)
