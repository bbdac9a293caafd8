/** Bundles the dashboard. `ci/setup/build.mjs` runs it and names the folder that it writes to. */
export default {
  // Relative, so that the page also works behind a path of a proxy.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'vue' } },
  define: {
    __VUE_OPTIONS_API__: 'false',
    __VUE_PROD_DEVTOOLS__: 'false',
    __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
  },
  build: { target: 'es2022', modulePreload: { polyfill: false }, reportCompressedSize: false },
}
