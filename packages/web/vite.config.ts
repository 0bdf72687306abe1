import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { UserConfig } from 'vite'
import { thirdParty } from '../../scripts/third-party.ts'

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
      'turnbuckle/client': fileURLToPath(new URL('../turnbuckle/src/client/index.ts', import.meta.url)),
      'rehype-raw': fileURLToPath(new URL('./src/message/no-raw-html.ts', import.meta.url)),
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
