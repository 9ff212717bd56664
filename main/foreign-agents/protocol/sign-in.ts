import { type AuthMethod, RequestError } from '@agentclientprotocol/sdk'
import type { SignIn } from '../../../shared/agents/other-agents-api.ts'
import { TypedWords } from '../../../shared/api/terminals.ts'
import { quotedLine } from '../../../shared/tools/foreign-arguments/command-from-words.ts'

/** The code of the error with which an agent says that nobody is signed in. */
const AUTH_REQUIRED = -32000
/** Names of variables are the only part of a line that is not quoted. */
const VARIABLE_NAME = /^[A-Za-z_]\w*$/

/** Nobody is signed in to the agent's account. `ways`: see `AgentFailure.signIn`. */
export class SignInNeeded extends Error {
  readonly ways: string

  constructor(message: string, ways: string) {
    super(message)
    this.ways = ways
  }
}

/**
 * The error of a session that could not be opened: a `SignInNeeded` if nobody is signed in. `methods`: the ways that the agent offers.
 * `invocation`: the agent's program and its arguments.
 */
export function withSignIn(error: unknown, methods: readonly AuthMethod[], invocation: readonly string[]): unknown {
  if (!(error instanceof RequestError) || error.code !== AUTH_REQUIRED) return error
  return new SignInNeeded(`It needs a sign-in: ${error.message}.`, waysToSignIn(methods, invocation))
}

/**
 * To sign in from a terminal, the user runs the agent's program with extra arguments and variables. This cannot run in the layer, because
 * it may open a browser and wait for the response. The agent is not trusted, so a method is left out if a shell
 * could read the name of a variable as something else, or if a terminal would refuse its line.
 */
export function signInsOf(methods: readonly AuthMethod[], invocation: readonly string[]): readonly SignIn[] {
  const byLine = new Map<string, SignIn>()
  for (const method of methods) {
    if (!('type' in method)) continue
    const variables = Object.entries(method.env ?? {})
    const assigned = variables.map(([name, value]) => `${name}=${quotedLine([value])} `)
    const line = `${assigned.join('')}${quotedLine([...invocation, ...(method.args ?? [])])}`
    const isSafe = variables.every(([name]) => VARIABLE_NAME.test(name)) && TypedWords.safeParse(line).success
    if (isSafe && !byLine.has(line)) byLine.set(line, { name: method.name, line })
  }
  return [...byLine.values()]
}

function waysToSignIn(methods: readonly AuthMethod[], invocation: readonly string[]): string {
  const lines = signInsOf(methods, invocation).map(({ line }) => line)
  if (lines.length > 0) return `Run this in a terminal first: ${lines.join(' or ')}`
  const names = methods.map(({ name }) => name)
  return names.length === 0 ? '' : `Available sign-in methods: ${names.join(', ')}.`
}
