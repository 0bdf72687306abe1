import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Violations of axe-core's default rules on the page as it is, each with the elements concerned. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const found = (await page.evaluate('axe.run(document)')) as axe.AxeResults
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
