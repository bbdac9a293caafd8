/**
 * Runs before `npm start`, `npm test` and `npm pack`: installs and builds what is missing or out of date, and
 * says nothing where nothing is. `node ci/ready.mjs build` builds in any case.
 *
 * It imports nothing at first, so that a Node too old for the rest still reads this file and gets its sentence.
 * The packed kit runs on any Node 20; the compiler and the test runner, which a checkout needs, ask for 20.19.
 */
const version = process.versions.node
const [major, minor] = version.split('.').map(Number)

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `mcp-conformance needs Node 20.19 or newer here, and this is Node ${version}: install a newer one.\n`,
  )
  process.exitCode = 1
} else {
  import('./setup/ready.mjs').then(({ main }) => main(process.argv[2] === 'build'))
}
