import { continuation } from 'turnbuckle/middleware'

// At 50 cents a person is asked; each yes allows 25 more. No answer means no.
export default continuation({
  of: 'cost',
  max: 0.5,
  more: 0.25,
  price: { input: 3, output: 15 }, // dollars for a million tokens
  say: 'I stop here: the budget is used up.',
})
