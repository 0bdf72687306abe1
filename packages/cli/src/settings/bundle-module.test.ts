import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { middleware } from 'turnbuckle'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { bundleModule } from './bundle-module.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnbuckle-bundle-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const put = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

test('a change in an import changes the hash', async () => {
  put('b.ts', 'export const b: number = 1')
  const path = put('a.ts', "import { b } from './b.ts'\nexport default b")
  const first = await bundleModule(path)
  expect([...first.files].sort()).toEqual(['a.ts', 'b.ts'])
  put('b.ts', 'export const b: number = 2')
  const second = await bundleModule(path)
  expect(second.hash).not.toBe(first.hash)
  expect({ ...((await first.load()) as object) }).toEqual({ default: 1 })
  expect({ ...((await second.load()) as object) }).toEqual({ default: 2 })
})

test("a module gets this program's own library", async () => {
  const path = put('a.ts', "import { middleware } from 'turnbuckle'\nexport default middleware")
  expect(await (await bundleModule(path)).load()).toMatchObject({ default: middleware })
})

test.each([
  { text: "import 'turnbuckle/nothing'", says: 'There is no "turnbuckle/nothing" here.' },
  { text: 'const', says: /a\.ts cannot be read: .* \(a\.ts:1\)/ },
])('$text cannot be read', async ({ text, says }) => {
  await expect(bundleModule(put('a.ts', text))).rejects.toThrow(says)
})

test('a person reads process and globalThis under their own names', async () => {
  const { text } = await bundleModule(put('a.js', 'globalThis.said = process.pid'))
  expect(text).toContain('globalThis.said = process.pid')
  expect(text).not.toContain('hashed')
})

test('a file that is not there, and one that throws, are named', async () => {
  await expect(bundleModule(join(folder, 'no.ts'))).rejects.toThrow('no.ts cannot be read: there is no such file')
  const { load } = await bundleModule(put('a.ts', "throw new Error('ouch')"))
  await expect(load()).rejects.toThrow('a.ts failed when it was loaded: ouch')
})

describe('a trusted module loads no file that was not hashed', () => {
  const refused = /is not among the files that were trusted/
  test.each([
    { way: 'a computed import', code: (path: string) => `await import([${path}][0])` },
    { way: 'a computed address', code: (path: string) => `await import(['file://', ${path}].join(''))` },
    { way: 'require', code: (path: string) => `require([${path}][0])` },
    { way: 'createRequire', code: (path: string) => `createRequire(import.meta.url)(${path})` },
    {
      way: 'the module of modules',
      code: (path: string) => `(await import(['node:module'][0])).createRequire('/')(${path})`,
    },
    { way: 'an inner part of Node', code: () => `process.binding('fs')` },
    { way: 'a library of machine code', code: (path: string) => `process.dlopen({ exports: {} }, ${path})` },
    ...['binding', '_linkedBinding'].map(name => ({
      way: `a descriptor of ${name}`,
      code: () => `Object.getOwnPropertyDescriptor(process, '${name}').value('fs')`,
    })),
    {
      way: 'a descriptor of dlopen',
      code: (path: string) => `Object.getOwnPropertyDescriptor(process, 'dlopen').value({ exports: {} }, ${path})`,
    },
    ...[
      'process.getBuiltinModule',
      'globalThis.process.getBuiltinModule',
      '(({ getBuiltinModule }) => getBuiltinModule)(process)',
      'ownProcess.getBuiltinModule',
      "(await import('process')).getBuiltinModule",
      "require(['node:process'][0]).getBuiltinModule",
      "globalThis[['pro', 'cess'].join('')].getBuiltinModule",
      "Reflect.get(global, ['process'][0]).getBuiltinModule",
      "Object.getOwnPropertyDescriptor(globalThis, 'process').value.getBuiltinModule",
      "Object.getOwnPropertyDescriptor(process, 'getBuiltinModule').value",
      "Reflect.getOwnPropertyDescriptor(ownProcess, 'getBuiltinModule').value",
      'Object.getOwnPropertyDescriptors(process).getBuiltinModule.value',
      "new Map(Object.entries(process)).get('getBuiltinModule')",
      'Object.create(process).getBuiltinModule',
      '(one => one.global.globalThis.process)(globalThis).getBuiltinModule',
    ].map(way => ({ way, code: (path: string) => `${way}('module').createRequire('/')(${path})` })),
  ])('by $way', async ({ code }) => {
    const escaped = JSON.stringify(put('escaped.cjs', 'globalThis.escaped = true'))
    const path = put(
      'a.js',
      `import { createRequire } from 'node:module'
import ownProcess from 'node:process'
void [createRequire, ownProcess]
export default ${code(escaped)}`,
    )
    await expect((await bundleModule(path)).load()).rejects.toThrow(refused)
    expect(globalThis).not.toHaveProperty('escaped')
  })

  test('the process is there by every name, and can be changed', async () => {
    const text = `import other, { cwd, pid } from 'node:process'
process.env.TURNBUCKLE_TRIED = 'yes'
export default [cwd(), pid, other.env.TURNBUCKLE_TRIED, globalThis.process.version, typeof process.stdout.write]`
    const { files, load } = await bundleModule(put('a.js', text))
    onTestFinished(() => void delete process.env.TURNBUCKLE_TRIED)
    const expected = [process.cwd(), process.pid, 'yes', process.version, 'function']
    expect(await load()).toMatchObject({ default: expected })
    expect(files).toEqual(['a.js'])
  })

  test('the global object is there, with all else that it has, and can be changed', async () => {
    const text = `globalThis.tried = [typeof globalThis.fetch, new globalThis.URL('http://a').host, globalThis.crypto.randomUUID().length]
const later = await new Promise(resolve => globalThis.setTimeout(() => resolve('later'), 0))
export default [...global.tried, later, 'process' in globalThis, globalThis === global]`
    onTestFinished(() => void Reflect.deleteProperty(globalThis, 'tried'))
    const loaded = await (await bundleModule(put('a.js', text))).load()
    expect(loaded).toMatchObject({ default: ['function', 'a', 36, 'later', true, true] })
  })

  test("Node's own modules and the library load by any name", async () => {
    const text = `const name = 'node:path'
export default [(await import(name)).sep, (await import('turnbuckle')).middleware, require('fs').constants.F_OK]`
    expect(await (await bundleModule(put('a.js', text))).load()).toMatchObject({ default: ['/', middleware, 0] })
  })
})
