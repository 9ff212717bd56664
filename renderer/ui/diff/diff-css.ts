/**
 * Style of the lines, inside the component's shadow tree, which can read our custom properties. In the stacked layout, the columns line up
 * with the axis of the pane: the old number below the time, the new number below the step number, the sign below the mark, and the code in
 * the body column.
 */
export const DIFF_CSS = `
:host {
  --diffs-font-family: var(--mono);
  --diffs-font-size: calc(12px * var(--k));
  --diffs-line-height: var(--l-base);
  --diffs-gap-style: 0;
  --diffs-gap-block: 0px;
  background: none;
  color: var(--text-1);
  color-scheme: inherit;
  tab-size: 4;
}
/* Lines wrap, so nothing scrolls sideways. Without this rule, an empty scrollbar leaves 15 px at the right unpainted. */
[data-code] {
  scrollbar-gutter: auto;
  scrollbar-width: none;
}
pre, code, [data-gutter], [data-content] {
  background: none;
  font-variant-ligatures: none;
}
[data-line], [data-column-number], [data-no-newline], [data-gutter-buffer] {
  background: none;
  color: var(--text-1);
}
[data-line] {
  direction: ltr;
  unicode-bidi: isolate-override;
  overflow-wrap: anywhere;
  padding-inline: calc(8px + var(--w-mark) + 12px) 20px;
}
[data-line] span[style*='bold'] { font-weight: 600 !important; }
[data-line-type='change-addition'] { background: var(--green-soft) !important; }
[data-line-type='change-deletion'] { background: var(--red-soft) !important; }
[data-line-type='change-addition'] [data-diff-span] { background: var(--green-word); }
[data-line-type='change-deletion'] [data-diff-span] { background: var(--red-word); }
[data-diff-span] { border-radius: 2px; }
[data-marks='none'] [data-diff-span] { background: none !important; }
[data-indicators='classic'] [data-line-type][data-line]::before,
[data-indicators='classic'] [data-line-type][data-no-newline]::before {
  left: 8px;
  width: var(--w-mark);
  text-align: center;
}
/* Screen readers say the text after the slash. */
[data-indicators='classic'] [data-line-type='change-addition'][data-line]::before {
  content: '+' / 'Added, line ' attr(data-line) ': ';
  color: var(--green);
}
[data-indicators='classic'] [data-line-type='change-deletion'][data-line]::before {
  content: '\u2212' / 'Removed, line ' attr(data-line) ': ';
  color: var(--red);
}
[data-indicators='classic'] [data-no-newline]::before { content: none !important; }
[data-no-newline] {
  padding-inline: calc(8px + var(--w-mark) + 12px) 20px;
  font: var(--t-note);
}
[data-no-newline] span { opacity: 1; color: var(--text-2); }

[data-column-number] {
  display: flex;
  gap: 8px;
  padding: 0 0 0 var(--pad);
  font: var(--t-mono-meta);
  line-height: var(--l-base);
  color: var(--text-3);
}
[data-line-number-content] {
  display: flex;
  justify-content: flex-end;
  width: var(--w-no);
  min-width: 0;
}
[data-unified] [data-column-number]::before {
  content: attr(data-old);
  display: var(--time-shown);
  width: var(--w-time);
  text-align: right;
}
[data-unified] [data-line-type='change-deletion'] [data-line-number-content] { visibility: hidden; }
[data-unified] [data-gutter-buffer] { padding: 0; }
[data-unified] [data-gutter-buffer]::before { content: none; }

/* The tracks do not depend on the lines. Otherwise, each scroll step would measure the lines again. */
[data-diff] {
  --diffs-grid-number-column-width: calc(var(--body) - var(--w-mark) - 20px);
  --diffs-code-grid: var(--diffs-grid-number-column-width) minmax(0, 1fr);
}
[data-diff-type='split'] { --diffs-grid-number-column-width: 44px; }
[data-diff-type='split'] [data-column-number] { padding: 0 0 0 4px; }
[data-diff-type='split'] [data-line-number-content] { width: 40px; }
[data-diff-type='split'] [data-line], [data-diff-type='split'] [data-no-newline] { padding-inline: 24px 12px; }
[data-indicators='classic'][data-diff-type='split'] [data-line-type][data-line]::before { left: 0; width: 20px; }
[data-diff-type='split'] [data-deletions] [data-content] { border-right: 0; }
[data-diff-type='split'] [data-additions] [data-gutter] { border-left: 1px solid var(--rule); }
[data-content-buffer] { background: var(--hover); }
[data-gutter-buffer='buffer'] { padding: 0; background: var(--hover); }

[data-separator='line-info-basic'] {
  box-sizing: border-box;
  height: var(--l-lead);
  border-block: 1px solid var(--rule);
  background: var(--band);
}
[data-separator='line-info-basic'][data-separator-last] { border-bottom: 0; }
[data-separator-wrapper], [data-separator-wrapper][data-separator-multi-button] {
  inset-inline: 0 auto;
  display: block;
  width: max-content;
  background: none;
  color: var(--text-3);
}
[data-content] [data-separator-wrapper], [data-additions] [data-separator-wrapper] { display: none !important; }
[data-separator] [data-expand-button] { display: none; }
[data-separator] [data-separator-content] {
  padding: 0;
  background: none;
}
[data-separator] [data-unmodified-lines] {
  padding: 0 12px 0 var(--body);
  font: var(--t-meta);
  line-height: calc(var(--l-lead) - 2px);
  color: var(--text-3);
}
[data-diff-type='split'] [data-separator] [data-unmodified-lines] { padding-left: 68px; }
[data-separator][data-expand-index] { cursor: pointer; }
[data-separator][data-expand-index]:hover [data-unmodified-lines] { color: var(--text-1); }
[data-separator] [data-unmodified-lines]:focus-visible { outline: 2px solid var(--ink); outline-offset: -2px; }

[data-hidden] {
  padding: 0 3px;
  border-radius: 2px;
  outline: 1px solid var(--amber-fill);
  outline-offset: -1px;
  background: var(--amber-soft);
  color: var(--amber);
  font: var(--t-mono-meta);
}
`
