const pseudo = /:(hover|active|focus-visible|focus-within|focus)(?![-\w])/g

/** Copies every rule for hover, press and focus to `data-force`, so that a still picture can show states that only a hand makes. */
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
