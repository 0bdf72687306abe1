import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { UserConfig } from 'vite'

const config: UserConfig = {
  root: import.meta.dirname,
  plugins: [react(), tailwind()],
  resolve: {
    alias: {
      'turnbuckle/client': new URL('../turnbuckle/src/client/index.ts', import.meta.url).pathname,
      'rehype-raw': new URL('./src/chat/no-raw-html.ts', import.meta.url).pathname,
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
