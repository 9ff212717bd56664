import { parseAst } from 'rolldown/parseAst'
import { childNodes, type Node, nodesIn, textOf } from './syntax.ts'

/** What the rules look at in one file of ours. Paths are relative to the clone, with forward slashes. */
export interface SourceFile {
  readonly path: string
  readonly lines: number
  readonly imports: readonly ImportOf[]
  /** Names that other files can import. */
  readonly exported: readonly string[]
  readonly functions: readonly FunctionOf[]
  /** Every name as often as the file writes it, declarations included. */
  readonly names: readonly string[]
  /** `object.property` wherever one is taken from the other: `app.notify` of `client.app.notify`. */
  readonly members: readonly string[]
  /** String literals, and texts of templates, with their lines; imports are left out. */
  readonly strings: readonly StringOf[]
  /** Lines that compare a `toolName` with a string, or switch over one. */
  readonly toolNameChecks: readonly number[]
  /** Lines that hand on what another file exports. */
  readonly reexports: readonly number[]
  /** Top-level statements that are still there when types are stripped. */
  readonly runtimeStatements: readonly number[]
  /** Lines that replace a file of ours by a fake. */
  readonly moduleMocks: readonly number[]
}

interface ImportOf {
  /** A file of ours, relative to the clone, or the specifier as written: `zod`, `node:fs`. */
  readonly target: string
  readonly line: number
}

interface StringOf {
  readonly text: string
  readonly line: number
}

interface FunctionOf {
  readonly name: string
  readonly line: number
  readonly lines: number
}

/**
 * Reads one file. Stylesheets have a length only.
 * @throws {Error} where the file is no valid TypeScript
 */
export function readSource(path: string, text: string): SourceFile {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  const none = {
    path,
    lines,
    imports: [],
    exported: [],
    functions: [],
    names: [],
    members: [],
    strings: [],
    toolNameChecks: [],
    reexports: [],
    runtimeStatements: [],
    moduleMocks: [],
  }
  if (path.endsWith('.css')) return none
  const lang = path.endsWith('.tsx') ? 'tsx' : path.endsWith('.mjs') ? 'js' : 'ts'
  const program: unknown = parseAst(text, { lang }, path)
  const lineAt = lineFinder(text)
  const all = nodesIn(program as Node)
  return {
    ...none,
    imports: all.flatMap((node) =>
      importsOf(node).map((specifier) => ({ target: resolveTarget(path, specifier), line: lineAt(node.start) })),
    ),
    exported: statements(program as Node).flatMap(exportedNames),
    functions: all.flatMap((node) => functionsOf(node, lineAt)),
    names: all.filter(({ type }) => type === 'Identifier' || type === 'JSXIdentifier').map((node) => textOf(node)),
    members: all.filter(({ type }) => type === 'MemberExpression').map((node) => memberOf(node)),
    strings: all.flatMap((node) => stringsOf(node).map((one) => ({ text: one, line: lineAt(node.start) }))),
    toolNameChecks: all.filter((node) => isToolNameCheck(node)).map((node) => lineAt(node.start)),
    reexports: statements(program as Node)
      .filter((node) => isReexport(node))
      .map((node) => lineAt(node.start)),
    runtimeStatements: statements(program as Node)
      .filter((node) => hasRuntime(node))
      .map((node) => lineAt(node.start)),
    moduleMocks: all.filter((node) => isModuleMock(node)).map((node) => lineAt(node.start)),
  }
}

const statements = (program: Node): readonly Node[] => program.body as readonly Node[]

/** Static, re-exporting, dynamic and type imports alike: whoever names a file depends on it. */
function importsOf(node: Node): readonly string[] {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return literal(node.source)
    default:
      return []
  }
}

function stringsOf(node: Node): readonly string[] {
  if (node.type === 'Literal') return literal(node)
  return node.type === 'TemplateElement' ? [(node.value as { readonly raw: string }).raw] : []
}

function isToolNameCheck(node: Node): boolean {
  if (node.type === 'SwitchStatement') {
    const tests = (node.cases as readonly Node[]).flatMap((one) => (one.test ? [one.test as Node] : []))
    return isToolName(node.discriminant) && tests.some((test) => test.type === 'Literal')
  }
  if (node.type !== 'BinaryExpression' || !['===', '!=='].includes(node.operator as string)) return false
  const sides = [node.left, node.right]
  return sides.some(isToolName) && sides.some((side) => textOf(side) !== '' && literal(side).length > 0)
}

function isToolName(node: unknown): boolean {
  const { type, property } = node as Node
  return textOf(type === 'MemberExpression' ? property : node) === 'toolName'
}

function memberOf(node: Node): string {
  const object = node.object as Node
  return `${textOf(object.type === 'MemberExpression' ? object.property : object)}.${textOf(node.property)}`
}

const literal = (node: unknown): readonly string[] => {
  const value = (node as { value?: unknown } | null | undefined)?.value
  return typeof value === 'string' ? [value] : []
}

function resolveTarget(from: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier
  const parts = from.split('/').slice(0, -1)
  for (const part of specifier.split('?')[0]?.split('/') ?? []) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}

function exportedNames(node: Node): readonly string[] {
  if (node.type !== 'ExportNamedDeclaration') return []
  const declaration = node.declaration as Node | null
  const own = declaration ? declaredNames(declaration) : []
  return [...own, ...(node.specifiers as readonly Node[]).map((specifier) => textOf(specifier.exported))]
}

function declaredNames(declaration: Node): readonly string[] {
  if (declaration.type !== 'VariableDeclaration') return [textOf(declaration.id)]
  return (declaration.declarations as readonly Node[]).map((one) => textOf(one.id))
}

function isReexport(node: Node): boolean {
  return node.type === 'ExportAllDeclaration' || (node.type === 'ExportNamedDeclaration' && node.source !== null)
}

const TYPES = new Set(['TSInterfaceDeclaration', 'TSTypeAliasDeclaration'])

function hasRuntime(node: Node): boolean {
  if (TYPES.has(node.type) || node.declare === true) return false
  if (node.type === 'ImportDeclaration') return node.importKind !== 'type' && !onlyTypes(node.specifiers)
  if (node.type !== 'ExportNamedDeclaration') return true
  const declaration = node.declaration as Node | null
  return declaration ? hasRuntime(declaration) : node.exportKind !== 'type' && !onlyTypes(node.specifiers)
}

function onlyTypes(specifiers: unknown): boolean {
  const all = specifiers as readonly Node[]
  return all.length > 0 && all.every((specifier) => specifier.importKind === 'type' || specifier.exportKind === 'type')
}

/** A package of the outside world, such as Electron, may be stood in for. */
function isModuleMock(node: Node): boolean {
  if (node.type !== 'CallExpression') return false
  const callee = node.callee as Node
  const [replaced] = node.arguments as readonly Node[]
  const property = textOf(callee.property)
  return textOf(callee.object) === 'vi' && (property === 'mock' || property === 'doMock') && !/^[^.]/.test(textOf(replaced))
}

/** Functions with their names where they have one: their own, or that of what they are assigned to. */
function functionsOf(node: Node, lineAt: (offset: number) => number): readonly FunctionOf[] {
  return childNodes(node).flatMap((child) => {
    if (child.type !== 'FunctionDeclaration' && child.type !== 'FunctionExpression' && child.type !== 'ArrowFunctionExpression') return []
    const name = textOf(child.id) || textOf(node.id) || textOf(node.key) || 'a function'
    const line = lineAt(child.start)
    return [{ name, line, lines: lineAt(child.end) - line + 1 }]
  })
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0, ...[...text.matchAll(/\n/g)].map((match) => match.index + 1)]
  return (offset) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return low + 1
  }
}
