import { createElement, type FunctionComponent } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { type AppState, useAppState } from '../src/state/app-state.ts'

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

/** The HTML of a component, without a browser. React draws so from the store's first state: for one drawing that is the given one. */
export function draw<Props extends object>(
  component: FunctionComponent<Props>,
  props: Props,
  state: Partial<AppState> = {},
): string {
  const first: Writable<AppState> = useAppState.getInitialState()
  const before = { ...first }
  Object.assign(first, state)
  try {
    return renderToStaticMarkup(createElement(component, props))
  } finally {
    Object.assign(first, before)
  }
}
