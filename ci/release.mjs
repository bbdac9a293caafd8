// Says whether a version can be published: the tag (GITHUB_REF_NAME), package.json, the lock, the examples and the changelog
// must name the same one. Exit code 1, with a sentence for each that does not.

import { readFileSync } from 'node:fs'

const read = path => readFileSync(path, 'utf8')
const tag = process.env.GITHUB_REF_NAME ?? ''
const [, version = ''] = /^v(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)$/.exec(tag) ?? []
const lock = JSON.parse(read('package-lock.json'))

const faults = [
  [version !== '', `the tag ${tag || '(none)'} is not like v1.2.3`],
  [JSON.parse(read('package.json')).version === version, `package.json does not say ${version}`],
  [lock.version === version && lock.packages[''].version === version, `package-lock.json does not say ${version}`],
  [read('CHANGELOG.md').includes(`\n## [${version}] - `), `CHANGELOG.md has no section ## [${version}] - YYYY-MM-DD`],
  ...[
    'ci/gitlab.yml',
    'ci/examples/Jenkinsfile',
    'ci/examples/github.yml',
    'ci/examples/latency.yml',
    'docs/ci.md',
  ].map(path => [read(path).includes(version), `${path} does not name ${version}`]),
].flatMap(([holds, fault]) => (holds ? [] : [fault]))

for (const fault of faults) console.error(`release: ${fault}`)
if (faults.length === 0) console.log(`release: ${version} can be published`)
process.exitCode = faults.length ? 1 : 0
