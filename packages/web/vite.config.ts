import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { Plugin, UserConfig } from 'vite'
import { thirdParty } from '../../scripts/third-party.ts'

/** KaTeX's letters in the one format that every browser of today reads. */
const onlyWoff2: Plugin = {
  name: 'only-woff2',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('katex') && id.includes('.css')
      ? code.replace(/,url\([^)]+\.(?:woff|ttf)\) format\("[^"]+"\)/g, '')
      : undefined,
}

const page = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

const config: UserConfig = {
  root: import.meta.dirname,
  plugins: [
    onlyWoff2,
    react(),
    tailwind(),
    thirdParty([
      'tailwindcss',
      '@fontsource-variable/instrument-sans',
      '@fontsource-variable/jetbrains-mono',
      '@fontsource-variable/newsreader',
      // Bundled into the worker that colours code, whose modules this build does not see.
      '@shikijs/core',
      '@shikijs/engine-javascript',
      '@shikijs/langs',
      '@shikijs/primitive',
      '@shikijs/vscode-textmate',
      'oniguruma-parser',
      'oniguruma-to-es',
      'regex',
      'regex-recursion',
      'regex-utilities',
    ]),
  ],
  resolve: {
    alias: {
      'turnbuckle/client': fileURLToPath(new URL('../turnbuckle/src/client/index.ts', import.meta.url)),
    },
  },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    rolldownOptions: { input: [page('./index.html'), page('./diagram.html')] },
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
  },
}

export default config
