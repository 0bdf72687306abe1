// Loaded before a program: tells the processor time it took until it ended, or until it wrote CPU_UNTIL.
const { writeFileSync } = require('node:fs')

const { CPU_REPORT, CPU_UNTIL } = process.env
const tell = () => {
  const { user, system } = process.cpuUsage()
  writeFileSync(CPU_REPORT, String(user + system))
}
if (CPU_UNTIL === undefined) process.on('exit', tell)
else {
  const { stdout } = process
  const { write } = stdout
  stdout.write = (text, ...rest) => {
    const written = write.call(stdout, text, ...rest)
    if (String(text).includes(CPU_UNTIL)) tell()
    return written
  }
}
