# SPDX-License-Identifier: Apache-2.0
find_path(RapidJSON_INCLUDE_DIRS rapidjson/document.h REQUIRED)
set(RapidJSON_FOUND TRUE)
