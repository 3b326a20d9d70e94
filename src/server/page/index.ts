export {
  addPageRoutes,
  addPhonePage,
  isPageRequest,
  isPhonePageRequest,
} from "./page-routes.ts";
