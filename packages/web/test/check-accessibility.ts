import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { eventually } from './page.ts'

/** Looks at the page as it is, by day and by night. */
export async function checkAccessibility(page: Page, where: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await eventually(() =>
      page.evaluate(
        'document.getAnimations().filter(one => one.playState === "running").length - document.querySelectorAll(".spinner").length',
      ),
    ).toBe(0)
    await page.evaluate(axe.source)
    const { violations } = (await page.evaluate(
      'axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"] })',
    )) as axe.AxeResults
    expect(
      violations.map(
        ({ id, nodes }) =>
          `${where} ${colorScheme} ${id}: ${nodes.map(node => `${node.html} ${node.failureSummary}`).join(' | ')}`,
      ),
    ).toEqual([])
  }
}
