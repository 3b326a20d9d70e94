import DefaultTheme from "vitepress/theme";
import Playground from "./playground.vue";

export default {
  extends: DefaultTheme,
  enhanceApp({ app }: { app: { component(name: string, component: unknown): void } }) {
    app.component("playground", Playground);
  },
};
