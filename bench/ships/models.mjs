/** Stands for `turnbuckle/models` in the composition: every name is the model of the row. */
let model

export const setModel = given => {
  model = given
}
export const resolveModel = () => model
export const checkModel = () => {}
export const defaultModel = () => 'scripted'
export const priceOf = () => undefined
