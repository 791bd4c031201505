import './app.css'
import { mount } from 'svelte'
import App from './App.svelte'
import { startLanguage } from './lib/i18n.svelte'
import { prefs } from './lib/prefs.svelte'
import { prepareSound } from './lib/sound'
import { router } from './lib/router.svelte'

prefs.showTheme()
router.start()
prepareSound()
await startLanguage()
mount(App, { target: document.getElementById('app')! })
