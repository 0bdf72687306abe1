#!/usr/bin/env node
import { createInterface } from 'node:readline/promises'
import { createAgent, offline } from 'turnbuckle'

const agent = createAgent({ model: offline() })
const conversation = agent.conversation()
const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' })

async function answer(line: string): Promise<void> {
  for await (const text of conversation.send(line).text) process.stdout.write(text)
  process.stdout.write('\n')
}

if (process.stdin.isTTY) lines.prompt()
for await (const line of lines) {
  await answer(line)
  if (!process.stdin.isTTY) break
  lines.prompt()
}
lines.close()
