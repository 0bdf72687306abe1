export { type Price, priceOf, prices } from './prices.ts'
