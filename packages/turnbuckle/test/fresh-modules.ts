import { vi } from 'vitest'

// Before each file that shares a process with others: it gets the modules of the repository as if none had run.
vi.resetModules()
