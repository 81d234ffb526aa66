// libYAML.
#pragma once
#include <yaml.h>
