import { createApp } from 'vue'
import { App } from './app.tsx'

createApp(App).mount('#app')
