/**
 * Run by `npm start` and `npm test`: plain JavaScript without dependencies, for any Node from 18 on. It installs what is missing, says so, and
 * hands over to the Node from the project's packages. This first file uses only syntax that much older versions understand, so that they
 * can report what is wrong.
 */
if (Number(process.versions.node.split('.')[0]) < 18) {
  console.error(
    'Countersign needs Node 18 or newer to set itself up; this is ' +
      process.version +
      '. Install a current Node and run the command again.',
  )
  process.exitCode = 1
} else {
  import('./bootstrap/cli.mjs').then(
    (cli) => cli.run(process.argv.slice(2)),
    (error) => {
      console.error(error)
      process.exitCode = 1
    },
  )
}
