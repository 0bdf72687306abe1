import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from '../bundle-program.ts'

test('the picture of the house shows the imports as they are: npm run house draws it anew', async () => {
  const script = "import('./scripts/draw-house.mjs').then(house => process.stdout.write(house.drawHouse()))"
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { cwd: root })
  expect(readFileSync(`${root}docs/images/house.svg`, 'utf8')).toBe(stdout)
})
