import type { Part } from "../components/suspense.tsx";
import type { ScreenName } from "../routing/place.ts";
import { FindScreen } from "./find/find-screen.tsx";
import { HomeScreen } from "./home/home-screen.tsx";
import { ItemScreen } from "./item/item-screen.tsx";

/** What most visits begin with is there at once, the others come when they are asked for. */
export const SCREEN_PARTS: Readonly<Record<ScreenName, Part>> = {
  home: HomeScreen,
  find: FindScreen,
  item: ItemScreen,
  recall: HomeScreen,
  map: HomeScreen,
  inbox: HomeScreen,
  feed: HomeScreen,
  topics: HomeScreen,
  databases: HomeScreen,
  bin: HomeScreen,
};
