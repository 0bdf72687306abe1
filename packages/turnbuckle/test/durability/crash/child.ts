import { type Job, play } from './play.ts'

/** Plays the job it is given, or, started without one, one job after another until it is let go. */
const [, , given] = process.argv
if (given) {
  process.stdout.write(JSON.stringify(await play(JSON.parse(given) as Job)))
  process.exit(0)
}
process.on('message', (job: Job) => {
  const answer = (message: object) => process.send?.(message)
  play(job).then(
    played => answer({ played }),
    error => answer({ error: String((error as Error)?.stack ?? error) }),
  )
})
