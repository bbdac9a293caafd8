/**
 * Runs before `npm start`, `npm test` and `npm pack`: installs and builds what is missing or out of date, and
 * says nothing where nothing is. `node ci/ready.mjs build` builds in any case.
 *
 * It imports nothing at first, so that a Node too old for the rest still reads this file and gets its sentence.
 */
const version = process.versions.node

if (Number(version.split('.')[0]) < 20) {
  process.stderr.write(`mcp-conformance needs Node 20 or newer, and this is Node ${version}: install a newer one.\n`)
  process.exitCode = 1
} else {
  import('./setup/ready.mjs').then(({ main }) => main(process.argv[2] === 'build'))
}
