// Runs the agent under Electron's program as Node, on Windows only: countersign.cmd starts this file with the word "agent" first.

// Programs that the agent starts must not inherit this.
Reflect.deleteProperty(process.env, 'ELECTRON_RUN_AS_NODE')
process.argv.splice(2, 1)
await import(new URL('../app.asar/dist/main/run.js', import.meta.url).href)
