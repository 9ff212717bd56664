/**
 * Everyday words for the arguments that may be named to the user. A sentence with any other argument name or a tool name is meant for the
 * model only.
 */
const ARGUMENT_WORDS: Readonly<Record<string, string>> = {
  old_string: 'the text to replace',
  new_string: 'the new text',
  file_path: 'the path',
  replace_all: 'replacing all of them',
  cell_id: 'the cell',
}

/** A bare name such as `read_file`: not in quotes, not part of a path, and without a file extension. */
const NAME = /(?<![\w/.\-"'`\\])[a-z]+(?:_[a-z]+)+(?![\w/\-"'`\\]|\.\w)/gu

/** Sentences that instruct the model. */
const INSTRUCTION =
  /^(?:Add|Ask|Begin|Call|Check|Choose|Continue|Edit|Give|Include|Leave|List|Make|Name|Narrow|Put|Read|Remove|Repeat|Retry|Run|Search|Send|Set|Shorten|Split|Start|Stop|Take|Tell|To create|To search|Try|Use|Write)\b(?!.*:\s*$)/u

/**
 * Turns a failed call's message into one for the user: it keeps the facts and drops what only the model can use. Tool names and
 * instructions are left out, arguments get everyday names, and "you" becomes "the agent". Lines after the first (an excerpt of a file)
 * stay unchanged.
 */
export function failureForPerson(modelText: string): string {
  const end = modelText.indexOf('\n')
  const [first, rest] = end < 0 ? [modelText, ''] : [modelText.slice(0, end), modelText.slice(end)]
  if (first.trim() === '') return modelText
  const said = sentencesOf(first)
    .map(inPersonWords)
    .filter((sentence) => !INSTRUCTION.test(sentence))
  const plain = said.filter((sentence) => sentence.search(NAME) < 0)
  // If every fact contains a name, the first fact is kept and its names are replaced, because that is better than no fact.
  const facts = plain.length > 0 ? plain : said.slice(0, 1).map((sentence) => sentence.replaceAll(NAME, 'the tool'))
  if (facts.length === 0) return `The agent’s call was not valid.${rest}`
  return capitalized(facts.join(' ')) + rest
}

/** A period inside a name or number does not end a sentence. */
function sentencesOf(line: string): readonly string[] {
  return line.split(/(?<=[.!?])\s+(?=[A-Z"“]|[a-z]+_[a-z])/u)
}

function inPersonWords(sentence: string): string {
  const about = sentence.replace(INVALID, '')
  const words = about
    .replace(/^Unknown tool: .*/u, 'The agent called a tool that does not exist.')
    .replace(/[;:] (?:leave|send|use)\b.*$/u, '.')
    .replaceAll(NAME, (name) => ARGUMENT_WORDS[name] ?? name)
    .replaceAll(/\b(you have|you are|you read|your|you)\b/giu, (words) => AGENT_WORDS[words.toLowerCase()] ?? words)
  return about === sentence ? words : words.slice(0, 1).toUpperCase() + words.slice(1)
}

const INVALID = /^Invalid arguments for [^\s:]+: /u

const AGENT_WORDS: Readonly<Record<string, string>> = {
  'you have': 'the agent has',
  'you are': 'the agent is',
  'you read': 'the agent read',
  your: 'the agent’s',
  you: 'the agent',
}

/** A path at the start is not capitalized. */
function capitalized(text: string): string {
  return /^the\b/u.test(text) ? `T${text.slice(1)}` : text
}
