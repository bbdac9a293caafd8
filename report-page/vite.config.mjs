/** Bundles the page of the HTML report into one script and one style sheet. `ci/setup/build.mjs` names the folder. */
export default {
  build: {
    target: 'es2022',
    reportCompressedSize: false,
    rollupOptions: {
      input: new URL('./main.ts', import.meta.url).pathname,
      output: { format: 'iife', entryFileNames: 'page.js', assetFileNames: 'page[extname]' },
    },
  },
}
