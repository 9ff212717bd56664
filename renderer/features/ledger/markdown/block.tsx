import { Square, SquareCheck } from 'lucide-react'
import type { Token, Tokens } from 'marked'
import { Fragment, memo, type ReactNode } from 'react'
import { Icon } from '../../../ui/marks/icon.tsx'
import { VisuallyHidden } from '../../../ui/notices/screen-reader.tsx'
import { levelOf } from './blocks.ts'
import styles from '../ledger.module.css'
import { useOpenLink } from '../../../state/hooks/use-open-link.ts'
import { OutsideLink } from '../../../ui/text/outside-link.tsx'
import { TextLink } from '../../../ui/text/text-link.tsx'
import { foreign } from '../../../ui/text/exact-text.tsx'
import { CodeBlock } from './code-block.tsx'
import { CodeSpan, useFileLink, useMayNameFile, words } from './file-links.tsx'

/** Maximum nesting depth of blocks. Deeper blocks are shown as text, because 10,000 levels would overflow the stack. */
const DEEPEST = 20

/**
 * One block of a model's text, which is untrusted: HTML in it is never parsed, nothing remote is loaded, an image becomes a link to its address,
 * and only https links can be opened.
 */
export const Block = memo(
  function Block({ token, depth }: { readonly token: Token; readonly depth: number }): ReactNode {
    if (depth > DEEPEST) return <p>{foreign(token.raw)}</p>
    switch (token.type) {
      case 'space':
      case 'def':
        return null
      case 'code':
        return <CodeBlock text={(token as Tokens.Code).text} info={(token as Tokens.Code).lang ?? ''} />
      case 'heading':
        return <Heading token={token as Tokens.Heading} />
      case 'hr':
        return <hr />
      case 'blockquote':
        return <blockquote>{children(token, depth)}</blockquote>
      case 'list':
        return <List list={token as Tokens.List} depth={depth} />
      case 'table':
        return <Table table={token as Tokens.Table} />
      case 'checkbox':
        return <CheckBox checked={(token as Tokens.Checkbox).checked} />
      case 'paragraph':
        return <p>{inline(token)}</p>
      case 'text':
        return 'tokens' in token ? inline(token) : foreign(token.raw)
      default:
        return <p>{foreign(token.raw)}</p>
    }
  },
  ({ token: before }, { token: after }) => before.raw === after.raw && before.type === after.type && levelOf(before) === levelOf(after),
)

function children(token: Token, depth: number): ReactNode {
  return (token as Tokens.Generic).tokens?.map((child, index) => <Block key={index} token={child} depth={depth + 1} />)
}

function List({ list, depth }: { readonly list: Tokens.List; readonly depth: number }): ReactNode {
  const items = list.items.map((item, index) => (
    <li key={index} className={item.task ? styles.task : undefined}>
      {children(item, depth)}
    </li>
  ))
  return list.ordered ? <ol start={Number(list.start) || 1}>{items}</ol> : <ul>{items}</ul>
}

/** A task's check box, which the lexer puts at the start of the text. The box only shows the state and cannot be changed. */
function CheckBox({ checked }: { readonly checked: boolean }): ReactNode {
  return (
    <>
      <span className={styles.checkBox}>
        <Icon glyph={checked ? SquareCheck : Square} size={14} />
      </span>
      <VisuallyHidden>{checked ? 'Done: ' : 'To do: '}</VisuallyHidden>
    </>
  )
}

/** A heading. Inside a list or quote it has no level, because it is not part of the outline. */
function Heading({ token }: { readonly token: Tokens.Heading }): ReactNode {
  const level = levelOf(token)
  if (level === null)
    return (
      <p>
        <strong>{inline(token)}</strong>
      </p>
    )
  const Tag = `h${level}` as const
  return <Tag>{inline(token)}</Tag>
}

function Table({ table }: { readonly table: Tokens.Table }): ReactNode {
  return (
    <table>
      <thead>
        <tr>
          {table.header.map((cell, index) => (
            <th key={index}>{inline(cell)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row, index) => (
          <tr key={index}>
            {row.map((cell, column) => (
              <td key={column}>{inline(cell)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function inline(token: { readonly tokens?: readonly Token[] | undefined }): ReactNode {
  return token.tokens?.map((child, index) => <Fragment key={index}>{span(child)}</Fragment>)
}

function span(token: Token): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token)}</strong>
    case 'em':
      return <em>{inline(token)}</em>
    case 'del':
      return <s>{inline(token)}</s>
    case 'codespan':
      return <CodeSpan text={(token as Tokens.Codespan).text} />
    case 'br':
      return <br />
    case 'checkbox':
      return <CheckBox checked={(token as Tokens.Checkbox).checked} />
    case 'link':
      return <Link url={(token as Tokens.Link).href}>{inline(token)}</Link>
    case 'image':
      return <Link url={(token as Tokens.Image).href}>{foreign(`${(token as Tokens.Image).text} (${(token as Tokens.Image).href})`)}</Link>
    case 'escape':
      return foreign((token as Tokens.Escape).text)
    case 'text':
      return 'tokens' in token && token.tokens ? inline(token) : words(unescaped((token as Tokens.Text).raw))
    default:
      return foreign(token.raw)
  }
}

/** Decodes the five entities that the lexer leaves in plain text. */
function unescaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity)
}

function Link({ url, children }: { readonly url: string; readonly children: ReactNode }): ReactNode {
  const open = useOpenLink()
  const file = useFileLink(url)
  const mayNameFile = useMayNameFile(url)
  // A press would say that only https addresses are opened, a moment before the link opens the file.
  if (mayNameFile) return children
  if (file) return <TextLink {...file}>{children}</TextLink>
  return (
    <OutsideLink url={url} open={open}>
      {children}
    </OutsideLink>
  )
}
