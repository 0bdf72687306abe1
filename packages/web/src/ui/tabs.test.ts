import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Tabs } from './tabs.tsx'

const tabs = [
  { id: 'one', label: 'One' },
  { id: 'two', label: 'Two' },
] as const

test('the chosen tab is the one stop for the Tab key, and names the panel', () => {
  const html = renderToStaticMarkup(
    createElement(Tabs<'one' | 'two'>, { label: 'Views', tabs, chosen: 'two', choose: () => {}, panel: 'view' }),
  )
  const [one = '', two = ''] = html.split('<button').slice(1)
  expect(one).toMatch(/aria-selected="false" tabindex="-1"/)
  expect(two).toMatch(/id="tab-two" aria-controls="view" aria-selected="true" tabindex="0"/)
  expect(html).toContain('role="tablist" aria-label="Views"')
})
