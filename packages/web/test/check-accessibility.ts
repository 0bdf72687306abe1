import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { eventually } from './page.ts'

type ColorScheme = 'light' | 'dark'

/** Looks at the page as it is, by day and by night. */
export async function checkAccessibility(
  page: Page,
  where: string,
  schemes: readonly ColorScheme[] = ['light', 'dark'],
): Promise<void> {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await eventually(() =>
      page.evaluate(
        'document.getAnimations().filter(one => one.playState === "running").length - document.querySelectorAll(".spinner").length',
      ),
    ).toBe(0)
    await page.evaluate(axe.source)
    // The default rules; by night those about colours, since nothing else differs.
    const rules = colorScheme === 'light' ? '{}' : '{ runOnly: ["color-contrast", "link-in-text-block"] }'
    const { violations } = (await page.evaluate(`axe.run(document, ${rules})`)) as axe.AxeResults
    expect(
      violations.map(
        ({ id, nodes }) =>
          `${where} ${colorScheme} ${id}: ${nodes.map(node => `${node.html} ${node.failureSummary}`).join(' | ')}`,
      ),
    ).toEqual([])
  }
}
