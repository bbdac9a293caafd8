#!/usr/bin/env node
// The first thing that Node reads. A Node that is too old must get as far as the sentence below,
// so there is no import before it, and no syntax that Node 10 does not know.
var version = process.versions.node

if (Number(version.split('.')[0]) < 20) {
  process.stderr.write(`mcp-conformance needs Node 20 or newer, and this is Node ${version}: install a newer one.\n`)
  process.exitCode = 2
} else {
  import('./main.ts').then(program => program.main(process.argv.slice(2)))
}
