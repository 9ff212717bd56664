import { type ReactNode, useEffect, useRef } from 'react'

/** Shows its content in a fixed state: `hover`, `active`, `focus-visible`. */
export function ForcedState({ state, children }: { readonly state: string; readonly children: ReactNode }): ReactNode {
  const box = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const target = box.current?.querySelector('button, input')
    target?.setAttribute('data-force', state)
  }, [state])
  return (
    <span ref={box} style={{ display: 'contents' }}>
      {children}
    </span>
  )
}

const pseudo = /:(hover|active|focus-visible|focus-within|focus)(?![-\w])/g

/**
 * Copies every rule for hover, press and focus to a rule for the attribute `data-force`, so that a screenshot can show states that
 * otherwise need a pointer or keyboard.
 */
export function forceStates(): void {
  for (const sheet of document.styleSheets) copyRules(sheet)
}

function copyRules(list: CSSStyleSheet | CSSGroupingRule): void {
  for (let index = list.cssRules.length - 1; index >= 0; index -= 1) {
    const rule = list.cssRules[index]
    if (rule instanceof CSSStyleRule && rule.selectorText.search(pseudo) !== -1 && !rule.selectorText.includes(':not(:focus')) {
      const selector = rule.selectorText.replace(pseudo, "[data-force~='$1']")
      list.insertRule(`${selector} { ${rule.style.cssText} }`, index + 1)
    } else if (rule instanceof CSSGroupingRule) copyRules(rule)
  }
}
