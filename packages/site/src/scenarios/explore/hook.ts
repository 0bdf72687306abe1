import { explore } from 'turnbuckle/middleware'

// Two branches answer side by side. The judge keeps the shorter; the other stays in the tree.
export default explore({
  variants: [{ instructions: 'Be warm.' }, { instructions: 'Be brief.' }],
  judge: candidates => {
    const lengths = candidates.map(({ text }) => text.length)
    return lengths.indexOf(Math.min(...lengths))
  },
})
