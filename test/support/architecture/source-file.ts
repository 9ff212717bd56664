import { parseAst } from 'rolldown/parseAst'
import { childNodes, type Node, nodesIn, textOf } from './syntax.ts'

/** The facts about one of our source files that the rules check. Paths are relative to the clone, with forward slashes. */
export interface SourceFile {
  readonly path: string
  readonly lines: number
  readonly imports: readonly ImportOf[]
  /** Names that other files can import. */
  readonly exported: readonly string[]
  readonly functions: readonly FunctionOf[]
  /** Every name, once for each time that it occurs in the file, including declarations. */
  readonly names: readonly string[]
  /** Every `object.property` access: `app.notify` for `client.app.notify`. */
  readonly members: readonly string[]
  /** String literals and the text parts of templates, with their lines. Import specifiers are left out. */
  readonly strings: readonly StringOf[]
  /** Lines that compare a `toolName` with a string or switch over a `toolName`. */
  readonly toolNameChecks: readonly number[]
  /** Lines that re-export something from another file. */
  readonly reexports: readonly number[]
  /** Lines of the top-level statements that remain when types are stripped. */
  readonly runtimeStatements: readonly number[]
  /** Lines that replace one of our own files with a fake. */
  readonly moduleMocks: readonly number[]
  /**
   * Lines that spread a literal, or set several names from one list: `...{ a, b }`, also as attributes, `...[a, b]`, `const [a, b] = [x,
   * y]`.
   */
  readonly packed: readonly number[]
}

interface ImportOf {
  /** The path of one of our files relative to the clone, or otherwise the specifier as written: `zod`, `node:fs`. */
  readonly target: string
  readonly line: number
  /** When the file is loaded: together with this one, on demand, or never because only types are imported. */
  readonly when: 'at once' | 'on demand' | 'never'
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

/** Parses one file. Style sheets have only a length. Throws an Error if the file is not valid TypeScript. */
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
    packed: [],
  }
  if (path.endsWith('.css')) return none
  const lang = path.endsWith('.tsx') ? 'tsx' : path.endsWith('.mjs') ? 'js' : 'ts'
  const program: unknown = parseAst(text, { lang }, path)
  const lineAt = lineFinder(text)
  const all = nodesIn(program as Node)
  return {
    ...none,
    imports: all.flatMap((node) =>
      importsOf(node).map((specifier) => ({ target: resolveTarget(path, specifier), line: lineAt(node.start), when: whenLoaded(node) })),
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
    packed: all.filter((node) => isPacked(node)).map((node) => lineAt(node.start)),
  }
}

const statements = (program: Node): readonly Node[] => program.body as readonly Node[]

/** Includes static, dynamic and type imports and re-exports, because each of them makes the file depend on the imported file. */
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

function whenLoaded(node: Node): ImportOf['when'] {
  if (node.type === 'ImportExpression') return 'on demand'
  return node.type === 'TSImportType' || !hasRuntime(node) ? 'never' : 'at once'
}

function isPacked(node: Node): boolean {
  if (node.type === 'SpreadElement' || node.type === 'JSXSpreadAttribute')
    return ['ObjectExpression', 'ArrayExpression'].includes(typeOf(node.argument) ?? '')
  if (node.type !== 'VariableDeclarator' && node.type !== 'AssignmentExpression') return false
  const names = node.type === 'VariableDeclarator' ? node.id : node.left
  const values = node.type === 'VariableDeclarator' ? node.init : node.right
  if (typeOf(names) !== 'ArrayPattern' || typeOf(values) !== 'ArrayExpression') return false
  // A list that contains another list is taken apart: `const [first, ...rest] = [...events]`.
  return !((values as Node).elements as readonly unknown[]).some((one) => typeOf(one) === 'SpreadElement')
}

const typeOf = (node: unknown): string | undefined => (node as Node | null)?.type

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

/** Whether the call replaces one of our own modules. A third-party package, such as Electron, may be replaced. */
function isModuleMock(node: Node): boolean {
  if (node.type !== 'CallExpression') return false
  const callee = node.callee as Node
  const [replaced] = node.arguments as readonly Node[]
  const property = textOf(callee.property)
  return textOf(callee.object) === 'vi' && (property === 'mock' || property === 'doMock') && !/^[^.]/.test(textOf(replaced))
}

/** Returns functions with their names. A function's name is its own name or, if it has none, the name of what it is assigned to. */
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
