import type { Part } from "../components/suspense.tsx";
import type { ScreenName } from "../routing/location.ts";

export const SCREEN_PARTS: Readonly<Record<ScreenName, Part>> = {
  home: { load: async () => (await import("./home/home-screen.tsx")).HomeScreen },
  find: { load: async () => (await import("./find/find-screen.tsx")).FindScreen },
  item: { load: async () => (await import("./item/item-panel.tsx")).ItemScreen },
  recall: { load: async () => (await import("./recall/recall-screen.tsx")).RecallScreen },
  recalls: { load: async () => (await import("./recalls/recalls-screen.tsx")).RecallsScreen },
  map: { load: async () => (await import("./map/map-screen.tsx")).MapScreen },
  agent: { load: async () => (await import("./agent/agent-screen.tsx")).AgentScreen },
  inbox: { load: async () => (await import("./inbox/inbox-screen.tsx")).InboxScreen },
  feed: { load: async () => (await import("./feed/feed-screen.tsx")).FeedScreen },
  topics: { load: async () => (await import("./topics/topics-screen.tsx")).TopicsScreen },
  databases: {
    load: async () => (await import("./databases/databases-screen.tsx")).DatabasesScreen,
  },
  tokens: { load: async () => (await import("./tokens/tokens-screen.tsx")).TokensScreen },
  bin: { load: async () => (await import("./bin/bin-screen.tsx")).BinScreen },
};
