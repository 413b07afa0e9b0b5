# The rooms of src/, from the lowest to the highest: one object library each. A room sees its own headers, those of the
# rooms that it may include, and what those may include; any other include does not compile. tests/install/ holds the
# proof.
#
# For that, each room gets an include directory of its own, build/.../rooms/<room>, which holds nothing but a link to
# src/<room>.

# room: the rooms that it may include, beyond what these include themselves. include/salvo/ is open to all.
set(salvo_room_table
    "base:"
    "load: base"
    "rules: load"
    "exact: rules"
    "sample: rules"
    "figures: rules"
    "answer: exact sample figures"
    "decide: answer"
    "review: decide"
    "study: decide"
    "hazard: rules figures"
    "cards: answer"
    "battle: study"
    "report: review battle hazard cards"
    "api: report"
    "database: report"
    "mix: base"
    "serve: api"
    "cli: serve database mix")

# Doors that one can do without, the server and whole battles: then the room is left out, and the program says so when asked
# for it. The files that ask include generated/doors.h.
option(SALVO_SERVE "Build `salvo serve`, the server (needs Boost.Beast)" ON)
option(SALVO_BATTLES "Build `salvo battle` and `salvo gauntlet`" ON)
find_path(salvo_beast boost/beast/http/parser.hpp HINTS ${Boost_INCLUDE_DIRS})
set(salvo_absent_rooms)
set(salvo_has_server 1)
if(NOT SALVO_SERVE OR NOT salvo_beast)
  message(STATUS "Without `salvo serve`: SALVO_SERVE is off, or Boost.Beast is not there")
  list(APPEND salvo_absent_rooms serve)
  set(salvo_has_server 0)
endif()
set(salvo_has_battles 1)
if(EMSCRIPTEN) # what no page asks is not compiled
  set(SALVO_BATTLES OFF)
endif()
if(NOT SALVO_BATTLES)
  message(STATUS "Without `salvo battle` and `salvo gauntlet`: SALVO_BATTLES is off")
  list(APPEND salvo_absent_rooms battle)
  set(salvo_has_battles 0)
endif()
# Written only where it changes: a door that is opened compiles itself and the few files that ask, not the program anew.
file(
  CONFIGURE
  OUTPUT "${PROJECT_BINARY_DIR}/doors/generated/doors.h"
  CONTENT "// Which doors are built (docs/build.md: Targets).
#pragma once
#define SALVO_HAS_SERVER @salvo_has_server@
#define SALVO_HAS_BATTLES @salvo_has_battles@
"
  @ONLY)
# What belongs to the room battle in others. At the end of their rooms, so that the batches of the rest stay as they are.
set(salvo_battle_report battle.cpp battle_plots.cpp battle_worth.cpp)
set(salvo_battle_api battle_verb.cpp)
set(salvo_battle_cli sides.cpp)

# All files that include CLI11, whose code each object holds anew: they share a batch.
set(salvo_first_cli arguments.cpp cards_command.cpp manual.cpp options.cpp)

# Rooms where no benchmark spends its time (salvo_cold_options): they read, say and print, and leave the work to those below.
set(salvo_cold_rooms load answer decide study figures review hazard cards report api database mix serve cli)

# In WebAssembly what is small arrives soon: the preset web optimizes for size, and only these files, which solve and play,
# for speed: emscripten, which sees -Oz first, forbids to inline. The precompiled header does not fit them then.
if(EMSCRIPTEN)
  set(salvo_hot src/rules/damage.cpp src/rules/distribution.cpp src/rules/evaluate.cpp src/rules/gain.cpp
                src/rules/options.cpp src/rules/perform.cpp src/rules/play.cpp)
  file(GLOB hot RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/exact/*.cpp"
       "${PROJECT_SOURCE_DIR}/src/sample/*.cpp")
  list(FILTER hot EXCLUDE REGEX "circuit|decision|/logic|recorder|/(graph_game|sample|player|segment_build|segments|solve)\\.cpp|symbolic|unconditional")
  list(FILTER hot EXCLUDE REGEX "address|attack_(ends|solver)|certificate|durability|greedy|lane_(graph|words)|program|rule_plays|subgame|/tally|token_plan|volley")
  list(APPEND salvo_hot ${hot})
  foreach(file IN LISTS salvo_hot)
    # Only what is played and followed again and again is worth the bytes of -O2. (In src/sample vectors are used already.)
    if(NOT file MATCHES "src/rules/(evaluate|gain|play)|/token_solve\\.cpp")
      set_source_files_properties("${file}" PROPERTIES COMPILE_OPTIONS "-Os;-finline-functions")
    else()
      set_source_files_properties("${file}" PROPERTIES COMPILE_OPTIONS "-O2;-finline-functions")
    endif()
  endforeach()
  set_source_files_properties(${salvo_hot} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endif()

# Several files of a room are compiled as one: what they include and instantiate in common is done once, which halves
# the time. A file of a batch sees the unnamed namespaces of the others: names in a room tell its files apart.
option(SALVO_UNITY "Compile the files of a room in batches" OFF)
set(salvo_unity_batch 4)
set(salvo_unity_batch_cold 8)
# Rooms and files that are compiled one by one all the same: in batches the compiler inlines less, which costs speed there.
set(salvo_alone_rooms exact)
set(salvo_alone_battle optimal.cpp) # the longest by far: with three others a change of one of them took 12 s
set(salvo_alone_rules damage.cpp deck_memory.cpp distribution.cpp evaluate.cpp gain.cpp options.cpp perform.cpp play.cpp)

# Files of hot rooms where no benchmark spends its time, compiled as those of cold rooms are.
set(salvo_cold_exact certificate.cpp durability.cpp solve.cpp)

# What a room links beyond what all of them do.
set(salvo_libraries_load tomlplusplus::tomlplusplus nlohmann_json::nlohmann_json)
set(salvo_libraries_sample hwy::hwy)
set(salvo_libraries_report nlohmann_json::nlohmann_json)
set(salvo_libraries_cli CLI11::CLI11)
if(SQLite3_FOUND)
  set(salvo_libraries_database SQLite::SQLite3)
endif()
if(GLPK_LIBRARY)
  set(salvo_libraries_mix "${GLPK_LIBRARY}")
endif()

# salvo_room_closure(OUT ROOM): the rooms whose headers ROOM sees, itself included.
function(salvo_room_closure out room)
  set(reached "${room}")
  set(queue "${room}")
  while(queue)
    list(POP_FRONT queue next)
    foreach(entry IN LISTS salvo_room_table)
      if(entry MATCHES "^${next}: *(.*)$")
        string(REPLACE " " ";" below "${CMAKE_MATCH_1}")
        foreach(name IN LISTS below)
          if(name AND NOT name IN_LIST reached)
            list(APPEND reached "${name}")
            list(APPEND queue "${name}")
          endif()
        endforeach()
      endif()
    endforeach()
  endwhile()
  set(${out} "${reached}" PARENT_SCOPE)
endfunction()

# salvo_add_rooms(): a target salvo_room_<room> for each room with sources; salvo_rooms are their names, salvo_objects_<room>
# their object files, salvo_room_includes the include directories of all of them, for tests and benchmarks, which look into
# every room.
function(salvo_add_rooms)
  file(GLOB folders RELATIVE "${PROJECT_SOURCE_DIR}/src" CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/*")
  set(rooms)
  set(includes)
  foreach(entry IN LISTS salvo_room_table)
    string(REGEX REPLACE ":.*" "" room "${entry}")
    if(room IN_LIST folders)
      list(APPEND rooms "${room}")
      list(APPEND includes "${PROJECT_BINARY_DIR}/rooms/${room}")
      file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/rooms/${room}")
      file(CREATE_LINK "${PROJECT_SOURCE_DIR}/src/${room}" "${PROJECT_BINARY_DIR}/rooms/${room}/${room}" SYMBOLIC)
    endif()
  endforeach()
  foreach(folder IN LISTS folders)
    if(NOT folder IN_LIST rooms)
      message(FATAL_ERROR "src/${folder} is not in the table of rooms in cmake/Rooms.cmake")
    endif()
  endforeach()
  # Their headers stay to be seen: a room is compiled with the same options whatever is left out.
  list(REMOVE_ITEM rooms ${salvo_absent_rooms})
  if(EMSCRIPTEN) # the engine in WebAssembly has no command line
    list(REMOVE_ITEM rooms cli)
  endif()
  foreach(room IN LISTS rooms)
    salvo_add_room("${room}" "${folders}")
    set(salvo_objects_${room} "${salvo_objects_${room}}" PARENT_SCOPE)
  endforeach()
  set(salvo_rooms "${rooms}" PARENT_SCOPE)
  set(salvo_room_includes "${includes}" PARENT_SCOPE)
endfunction()

function(salvo_add_room room folders)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${room}/*.cpp")
  list(FILTER sources EXCLUDE REGEX "/src/cli/main\\.cpp$")
  foreach(file IN LISTS salvo_first_${room})
    list(REMOVE_ITEM sources "${PROJECT_SOURCE_DIR}/src/${room}/${file}")
    list(PREPEND sources "${PROJECT_SOURCE_DIR}/src/${room}/${file}")
  endforeach()
  foreach(file IN LISTS salvo_battle_${room})
    list(REMOVE_ITEM sources "${PROJECT_SOURCE_DIR}/src/${room}/${file}")
    if(SALVO_BATTLES)
      list(APPEND sources "${PROJECT_SOURCE_DIR}/src/${room}/${file}")
    endif()
  endforeach()
  foreach(file IN LISTS salvo_alone_${room})
    set_source_files_properties("${PROJECT_SOURCE_DIR}/src/${room}/${file}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endforeach()
  set(cold_sources)
  if(NOT EMSCRIPTEN)
    foreach(file IN LISTS salvo_cold_${room})
      list(REMOVE_ITEM sources "${PROJECT_SOURCE_DIR}/src/${room}/${file}")
      list(APPEND cold_sources "${PROJECT_SOURCE_DIR}/src/${room}/${file}")
    endforeach()
  endif()
  set(objects "$<TARGET_OBJECTS:salvo_room_${room}>")
  if(room IN_LIST salvo_cold_rooms)
    salvo_add_objects("salvo_room_${room}" "${room}" "${folders}" COLD ${sources})
  else()
    salvo_add_objects("salvo_room_${room}" "${room}" "${folders}" HOT ${sources})
  endif()
  if(cold_sources)
    salvo_add_objects("salvo_room_${room}_cold" "${room}" "${folders}" COLD ${cold_sources})
    list(APPEND objects "$<TARGET_OBJECTS:salvo_room_${room}_cold>")
  endif()
  set(salvo_objects_${room} "${objects}" PARENT_SCOPE)
endfunction()

# salvo_add_objects(TARGET ROOM FOLDERS HOT|COLD SOURCE...): files of a room as an object library.
function(salvo_add_objects target room folders heat)
  add_library("${target}" OBJECT ${ARGN})
  salvo_room_closure(seen "${room}")
  foreach(name IN LISTS seen)
    if(name IN_LIST folders)
      target_include_directories("${target}" PRIVATE "${PROJECT_BINARY_DIR}/rooms/${name}")
    endif()
  endforeach()
  target_include_directories("${target}" PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/doors")
  target_link_libraries("${target}" PRIVATE salvo_flags ${salvo_common_libraries} ${salvo_libraries_${room}})
  set(precompiled salvo_precompiled)
  set(batch "${salvo_unity_batch}")
  set(alone_rooms "${salvo_alone_rooms}")
  if(heat STREQUAL "COLD")
    set(precompiled salvo_precompiled_cold)
    set(batch "${salvo_unity_batch_cold}")
    set(alone_rooms)
    target_compile_options("${target}" PRIVATE ${salvo_cold_options})
  endif()
  target_precompile_headers("${target}" REUSE_FROM "${precompiled}")
  if(SALVO_UNITY AND NOT room IN_LIST alone_rooms)
    set_target_properties("${target}" PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE "${batch}")
    # gcc takes what a file has for itself for something that others include, once the file is part of a batch.
    target_compile_options("${target}" PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()
