import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { commandKey } from '../../state/stores/terminals/command-terminals.ts'
import { useDesk, useSession, useView } from '../../state/desk-context.ts'
import { focusWhenThere } from '../../state/commands/focus-when-there.ts'
import { Button } from '../../ui/controls/button.tsx'
import { PaneScroll } from '../../ui/frame/panes/pane.tsx'
import { Kbd } from '../../ui/marks/kbd.tsx'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { prepareTerminals } from '../../ui/terminal/terminal-view.tsx'
import { CommandBlock } from './command-block.tsx'
import { commandsOf, openBlocks, terminalName } from './command-facts.ts'
import styles from './inspector.module.css'

const NONE: readonly CallItem[] = []

/** The session's commands as blocks, oldest first. The block of a running command shows its output live and accepts typed input. */
export function AgentCommands({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const calls = useSession(sessionId, commandsOf, NONE)
  const hasOlder = useSession(sessionId, ({ firstItem }) => firstItem > 0, false)
  const asked = useView((view) => view.terminalOf)
  const [toggled, setToggled] = useState<ReadonlyMap<ToolCallId, boolean>>(new Map())
  const toggle = useCallback((call: ToolCallId, now: boolean) => setToggled((before) => new Map(before).set(call, now)), [])
  const [lastAsked, setLastAsked] = useState(asked)
  if (asked !== lastAsked) {
    setLastAsked(asked)
    // A block that the user asked to see is opened even if it was folded before.
    if (asked !== null) setToggled((before) => new Map(before).set(asked, true))
  }
  const list = useRef<HTMLElement>(null)
  useSightOf(list, calls.length)
  useEffect(prepareTerminals, [])
  const commands = useStore(desk.commandTerminals, (terminals) => terminals.commands)
  const runs = (call: CallItem): boolean => commands.get(commandKey(sessionId, call.toolCallId))?.runs === true
  const waits = (call: CallItem): boolean => commands.get(commandKey(sessionId, call.toolCallId))?.waitsForInput === true
  // The command that waits for input comes first, then the command that the turn waits for, then the newest background command.
  const running = calls.findLast(waits) ?? calls.findLast(({ status }) => status === 'running') ?? calls.findLast(runs)
  if (calls.length === 0 && !hasOlder) return <EmptyState>No commands yet. What the agent runs appears here while it runs.</EmptyState>
  const open = openBlocks(calls, runs)
  const typeInto = (call: ToolCallId): void => {
    toggle(call, true)
    const keyboard = `#${CSS.escape(`command-${call}`)} textarea`
    const there = document.querySelector<HTMLElement>(keyboard)
    // If the keyboard field exists, it gets the focus at once, because the user may already be pressing the next key.
    if (there) there.focus()
    else focusWhenThere(keyboard)
  }
  return (
    <>
      <PaneScroll label="Commands" ref={list}>
        {hasOlder && (
          <p className={styles.older}>
            <Button variant="quiet" small onPress={() => void desk.session(sessionId).loadOlder()}>
              Show earlier commands
            </Button>
          </p>
        )}
        <ol className={styles.commands} aria-label="Commands of this session">
          {calls.map((call) => (
            <CommandBlock
              key={call.toolCallId}
              sessionId={sessionId}
              call={call}
              open={toggled.get(call.toolCallId) ?? (call.toolCallId === asked || open.has(call.toolCallId))}
              onToggle={toggle}
            />
          ))}
        </ol>
      </PaneScroll>
      {running && (
        <button type="button" className={styles.typing} onClick={() => typeInto(running.toolCallId)}>
          Type into {nameOf(running, calls.filter(runs).length)}
          <Kbd keys="Mod+Backquote" className="push" />
        </button>
      )}
    </>
  )
}

/** Returns the name of the command if several commands are running. Otherwise returns "this command". */
function nameOf(call: CallItem, running: number): string {
  return running > 1 ? (terminalName(call) ?? `step ${call.step}`) : 'this command'
}

/** Scrolls to the command that the user asked to see. Otherwise follows the newest command while the view is at the end. */
function useSightOf(list: RefObject<HTMLElement | null>, count: number): void {
  const asked = useView((view) => view.terminalOf)
  useEffect(() => {
    if (asked) document.getElementById(`command-${asked}`)?.scrollIntoView({ block: 'nearest' })
  }, [asked])
  useEffect(() => {
    const scroll = list.current
    const content = scroll?.lastElementChild
    if (!scroll || !content) return
    let isAtEnd = true
    const onScroll = (): void => {
      isAtEnd = scroll.scrollTop + scroll.clientHeight >= scroll.scrollHeight - 24
    }
    const observer = new ResizeObserver(() => {
      if (isAtEnd) scroll.scrollTop = scroll.scrollHeight
    })
    scroll.addEventListener('scroll', onScroll)
    observer.observe(content)
    return () => {
      scroll.removeEventListener('scroll', onScroll)
      observer.disconnect()
    }
  }, [list, count])
}
