import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { UserConfig } from 'vite'
import { thirdParty } from '../../scripts/third-party.ts'

const library = (path: string): string => fileURLToPath(new URL(`../turnbuckle/src/${path}`, import.meta.url))

/** The playground, the first page of the site. `npm run docs` puts the pages of docs/ beside it. */
const config: UserConfig = {
  root: import.meta.dirname,
  // The folder of a GitHub Pages site: /turnbuckle/. Relative by default, so that it can be served from anywhere.
  base: process.env['DOCS_BASE'] ?? './',
  publicDir: fileURLToPath(new URL('../web/public', import.meta.url)),
  plugins: [
    react(),
    thirdParty([
      'sucrase',
      '@fontsource-variable/instrument-sans',
      '@fontsource-variable/jetbrains-mono',
      '@fontsource-variable/newsreader',
    ]),
  ],
  resolve: {
    alias: [
      { find: /^turnbuckle$/, replacement: library('index.ts') },
      { find: /^turnbuckle\/([a-z-]+)$/, replacement: `${library('')}$1/index.ts` },
    ],
  },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    outDir: 'dist',
    // Beside the assets of the pages, which have a folder of their own.
    assetsDir: 'play',
    emptyOutDir: false,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
  },
}

export default config
