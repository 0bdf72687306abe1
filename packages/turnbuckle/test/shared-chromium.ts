import type { Browser } from 'playwright-core'
import { launchChromium } from './chromium.ts'

let running: Promise<Browser> | undefined

/**
 * The headless Chromium of this test process, for one file after the other. It ends with the process: a file closes
 * the contexts that it opens.
 */
export async function sharedChromium(): Promise<Browser> {
  if (!(await running)?.isConnected()) running = start()
  return running as Promise<Browser>
}

async function start(): Promise<Browser> {
  const browser = await launchChromium()
  // For what never comes; a busy machine is only slow.
  browser.on('context', context => context.setDefaultTimeout(60_000))
  return browser
}
