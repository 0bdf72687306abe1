import { type Job, play } from './play.ts'

/** Plays the one job it is given, and ends when it is let go. It may be started before there is a job. */
process.once('message', (job: Job) => {
  play(job).then(
    played => process.send?.({ played }),
    error => process.send?.({ error: String((error as Error)?.stack ?? error) }),
  )
})
process.once('disconnect', () => process.exit(0))
