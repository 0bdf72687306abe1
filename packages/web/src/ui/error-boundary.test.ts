import { expect, test } from 'vitest'
import { ErrorBoundary } from './error-boundary.tsx'

test.each([
  { thrown: new Error('No code.'), problem: 'No code.' },
  { thrown: 'just text', problem: 'just text' },
])('what fails is told as "$problem"', ({ thrown, problem }) => {
  expect(ErrorBoundary.getDerivedStateFromError(thrown)).toEqual({ problem })
})
