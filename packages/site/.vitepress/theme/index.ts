import theme from 'vitepress/theme-without-fonts'
import '../../../web/src/styles/fonts.css'
import './theme.css'

export default theme
