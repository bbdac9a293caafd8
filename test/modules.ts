import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseAst } from 'vitest/node'

export interface Import {
  /** The file it leads to, from the root, for a relative one; else as written. */
  readonly to: string
  readonly relative: boolean
  /** Still there when the types are gone. */
  readonly atRunTime: boolean
  /** `import()`, which is followed only when it is reached. */
  readonly lazy: boolean
}

export interface Module {
  /** From the root, with `/`. */
  readonly path: string
  readonly folder: string
  readonly lines: number
  readonly imports: readonly Import[]
  /** Every `object.property` that it names, such as `console.log`. */
  readonly members: ReadonlySet<string>
}

const NOT_OURS = new Set(['node_modules', 'dist', 'docs', 'reports'])

/** Every module of the repository, in a stable order. */
export function readModules(): Module[] {
  const folders = readdirSync('.', { withFileTypes: true }).filter(
    entry => entry.isDirectory() && !entry.name.startsWith('.') && !NOT_OURS.has(entry.name),
  )
  return folders
    .flatMap(({ name }) => readdirSync(name, { recursive: true, encoding: 'utf8' }).map(path => join(name, path)))
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => /\.([cm]?[jt]s|tsx)$/.test(path))
    .sort()
    .map(path => parseModule(path, readFileSync(path, 'utf8')))
}

/** What one module imports and names. Throws where it can't be parsed. */
export function parseModule(path: string, text: string): Module {
  const imports: Import[] = []
  const members = new Set<string>()
  const add = (source: unknown, typesOnly: boolean, lazy = false): void => {
    const to = isNode(source) ? source['value'] : undefined
    if (typeof to !== 'string') return
    const relative = to.startsWith('.')
    const target = relative ? posix.join(posix.dirname(path), to) : to
    imports.push({ to: target, relative, atRunTime: !typesOnly, lazy })
  }
  const visit = (node: Node): void => {
    const { source, object, property } = node
    if (node.type === 'ImportDeclaration') add(source, node['importKind'] === 'type')
    if (node.type === 'ExportAllDeclaration') add(source, node['exportKind'] === 'type')
    if (node.type === 'ExportNamedDeclaration') add(source, node['exportKind'] === 'type')
    if (node.type === 'ImportExpression') add(source, false, true)
    if (node.type === 'TSImportType') add(source, true)
    if (node.type === 'TSExternalModuleReference') add(node['expression'], false)
    if (node.type === 'CallExpression' && nameOf(node['callee']) === 'require') {
      const [first] = node['arguments'] as unknown[]
      add(first, false, true)
    }
    if (node.type === 'MemberExpression') members.add(`${nameOf(object)}.${nameOf(property)}`)
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child)
  }
  const program: unknown = parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path)
  if (isNode(program)) visit(program)
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  return { path, folder: folderOf(path), lines, imports, members }
}

/** The first folder of a path; a page for browsers, which lies inside another, is one by itself. */
export const folderOf = (path: string): string =>
  path.startsWith('reference-gateway/dashboard/') ? 'dashboard' : path.split('/')[0]!

type Node = { readonly type: string } & Readonly<Record<string, unknown>>

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

const nameOf = (node: unknown): unknown => (isNode(node) ? (node['name'] ?? node['value']) : undefined)

/** The rings of modules that import each other when they are loaded, each once, as `a → b → a`. */
export function circlesIn(modules: readonly Module[]): string[] {
  const all = new Map(modules.map(module => [module.path, module]))
  const done = new Set<string>()
  const circles: string[] = []
  const walk = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(' → '))
    if (done.has(path) || way.includes(path)) return
    for (const { to, atRunTime, lazy } of all.get(path)?.imports ?? []) if (atRunTime && !lazy) walk(to, [...way, path])
    done.add(path)
  }
  for (const { path } of modules) walk(path, [])
  return circles
}
