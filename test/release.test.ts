import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ran } from './ci-rig.ts'

/** How a version comes to be published: the workflow, and the script that says whether it may. */

const workflow = parse(readFileSync('.github/workflows/publish.yml', 'utf8'))
const { ci, publish } = workflow.jobs
const scripts: string[] = publish.steps.flatMap((step: { run?: string }) => step.run ?? [])

const folder = mkdtempSync(join(tmpdir(), 'mcpc-release-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The files that name the version, in a folder of their own. */
function checkout(name: string, edit: (text: string, path: string) => string = text => text): string {
  const place = join(folder, name)
  for (const path of [
    ...['package.json', 'package-lock.json', 'CHANGELOG.md', 'ci/release.mjs'],
    ...['ci/gitlab.yml', 'ci/examples/Jenkinsfile', 'ci/examples/github.yml', 'ci/examples/latency.yml', 'docs/ci.md'],
  ]) {
    mkdirSync(join(place, dirname(path)), { recursive: true })
    cpSync(path, join(place, path))
    writeFileSync(join(place, path), edit(readFileSync(path, 'utf8'), path))
  }
  return place
}

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const dated = (text: string, path: string) =>
  path === 'CHANGELOG.md' ? text.replace('## [Unreleased]', `## [Unreleased]\n\n## [${version}] - 2026-12-01`) : text

describe('the workflow', () => {
  test('runs for tags alone, after all that must hold, and may do no more than it must', () => {
    expect(workflow.on).toEqual({ push: { tags: ['v*'] } })
    expect(workflow.permissions).toEqual({ contents: 'read' })
    expect(publish.permissions).toEqual({ contents: 'read', 'id-token': 'write' })
    expect(publish.needs).toBe('ci')
    expect(parse(readFileSync(resolve(ci.uses), 'utf8')).on).toHaveProperty('workflow_call')
  })

  test('publishes with provenance, by no token, and puts nothing into a script', () => {
    expect(scripts.at(-1)).toBe('npm publish --provenance --access public')
    expect(scripts.join('\n')).not.toContain('${' + '{')
    expect(JSON.stringify(workflow)).not.toMatch(/secrets\.|NODE_AUTH_TOKEN/)
    expect(scripts).toContain('node ci/release.mjs')
  })

  test('names the repository that it runs in, which npm compares', async () => {
    const place = checkout('named')
    const env = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'acme/mcp-conformance' }
    const script = scripts.find(s => s.includes('repository.url'))!
    expect((await ran('bash', ['-e', '-c', script], place, env)).code).toBe(0)
    const { repository } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'))
    expect(repository).toMatchObject({ url: 'git+https://github.com/acme/mcp-conformance.git' })
  })
})

describe('ci/release.mjs', () => {
  const release = (place: string, tag: string) => ran('node', ['ci/release.mjs'], place, { GITHUB_REF_NAME: tag })

  test('lets a version go that all files name', async () => {
    const { code, output } = await release(checkout('good', dated), `v${version}`)
    expect({ code, output }).toEqual({ code: 0, output: `release: ${version} can be published\n` })
  })

  test.each([
    ['a changelog without the version', undefined, `v${version}`, 'CHANGELOG.md has no section'],
    ['a tag of another version', dated, 'v99.0.0', 'package.json does not say 99.0.0'],
    ['a tag that is no version', dated, 'latest', 'the tag latest is not like v1.2.3'],
    [
      'an example of another version',
      (text: string, path: string) =>
        path === 'ci/gitlab.yml' ? text.replaceAll(version, '0.0.9') : dated(text, path),
      `v${version}`,
      'ci/gitlab.yml does not name',
    ],
  ])('holds back %s', async (name, edit, tag, says) => {
    const { code, output } = await release(checkout(name, edit), tag)
    expect(code).toBe(1)
    expect(output).toContain(says)
  })
})
