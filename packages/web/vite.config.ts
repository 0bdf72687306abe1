import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { UserConfig } from 'vite'
import { thirdParty } from '../../scripts/third-party.ts'

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

const config: UserConfig = {
  root: import.meta.dirname,
  plugins: [
    react(),
    tailwind(),
    thirdParty([
      'tailwindcss',
      '@fontsource-variable/instrument-sans',
      '@fontsource-variable/jetbrains-mono',
      '@fontsource-variable/newsreader',
    ]),
  ],
  resolve: {
    alias: {
      'turnbuckle/client': path('../turnbuckle/src/client/index.ts'),
      'rehype-raw': path('./src/message/no-raw-html.ts'),
    },
  },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
}

export default config
